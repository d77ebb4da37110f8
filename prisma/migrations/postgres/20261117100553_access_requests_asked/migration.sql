-- AlterTable
ALTER TABLE "AccessRequest" ADD COLUMN     "askedKey" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "AccessRequest_status_askedKey_stageDeadline_idx" ON "AccessRequest"("status", "askedKey", "stageDeadline");

-- CreateIndex
CREATE INDEX "AccessRequest_apiId_createdAt_idx" ON "AccessRequest"("apiId", "createdAt");
