-- CreateIndex
CREATE INDEX "TokenGrant_applicationId_userId_idx" ON "TokenGrant"("applicationId", "userId");

-- DropIndex
DROP INDEX "TokenGrant_applicationId_idx";
