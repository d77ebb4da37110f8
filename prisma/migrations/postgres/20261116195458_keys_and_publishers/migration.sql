-- The publisher of an application was checked by an admin
ALTER TABLE "Application" ADD COLUMN     "publisherVerified" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "PublicKeyUse" (
    "applicationId" TEXT NOT NULL,
    "thumbprint" TEXT NOT NULL,
    "kid" TEXT,
    "lastUsedAt" TIMESTAMP(3) NOT NULL,
    "lastUsedIp" TEXT,

    CONSTRAINT "PublicKeyUse_pkey" PRIMARY KEY ("applicationId","thumbprint")
);

-- AddForeignKey
ALTER TABLE "PublicKeyUse" ADD CONSTRAINT "PublicKeyUse_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateIndex
CREATE INDEX "PublicKeyUse_lastUsedAt_idx" ON "PublicKeyUse"("lastUsedAt");
