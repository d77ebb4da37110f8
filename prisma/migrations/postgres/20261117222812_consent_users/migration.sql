-- CreateIndex
CREATE INDEX "Consent_applicationId_userId_idx" ON "Consent"("applicationId", "userId");

-- DropIndex
DROP INDEX "Consent_applicationId_idx";
