-- AlterTable
ALTER TABLE "Api" ADD COLUMN "subpaths" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Api" ADD COLUMN "publishMetadata" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Api" ADD COLUMN "documentation" TEXT;

-- CreateTable
CREATE TABLE "PendingChange" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "applicationId" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "arguments" JSONB NOT NULL,
    "digest" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "answeredAt" DATETIME,
    "confirmed" BOOLEAN,
    "policyVersion" INTEGER,
    "usedAt" DATETIME,
    CONSTRAINT "PendingChange_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "PendingChange_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "PendingChange_userId_expiresAt_idx" ON "PendingChange"("userId", "expiresAt");

-- CreateIndex
CREATE INDEX "PendingChange_applicationId_idx" ON "PendingChange"("applicationId");

-- CreateIndex
CREATE INDEX "PendingChange_expiresAt_idx" ON "PendingChange"("expiresAt");
