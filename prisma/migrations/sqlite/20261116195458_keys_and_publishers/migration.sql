-- The publisher of an application was checked by an admin
ALTER TABLE "Application" ADD COLUMN     "publisherVerified" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "PublicKeyUse" (
    "applicationId" TEXT NOT NULL,
    "thumbprint" TEXT NOT NULL,
    "kid" TEXT,
    "lastUsedAt" DATETIME NOT NULL,
    "lastUsedIp" TEXT,

    PRIMARY KEY ("applicationId", "thumbprint"),
    CONSTRAINT "PublicKeyUse_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "PublicKeyUse_lastUsedAt_idx" ON "PublicKeyUse"("lastUsedAt");
