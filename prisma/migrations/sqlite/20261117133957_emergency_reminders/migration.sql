-- AlterTable
ALTER TABLE "AccessRequest" ADD COLUMN "reviewRemindAt" DATETIME;

-- CreateIndex
CREATE INDEX "AccessRequest_reviewRemindAt_idx" ON "AccessRequest"("reviewRemindAt");
