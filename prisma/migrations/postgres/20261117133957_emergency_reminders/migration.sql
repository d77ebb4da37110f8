-- AlterTable
ALTER TABLE "AccessRequest" ADD COLUMN     "reviewRemindAt" TIMESTAMP(3);

-- CreateIndex
CREATE INDEX "AccessRequest_reviewRemindAt_idx" ON "AccessRequest"("reviewRemindAt");
