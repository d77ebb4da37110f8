-- AlterTable
ALTER TABLE "AccessRequest" ADD COLUMN     "justified" BOOLEAN,
ADD COLUMN     "reviewDeadline" TIMESTAMP(3),
ADD COLUMN     "reviewMissedAt" TIMESTAMP(3),
ADD COLUMN     "reviewReason" TEXT,
ADD COLUMN     "reviewedAt" TIMESTAMP(3),
ADD COLUMN     "reviewerId" TEXT;

-- AlterTable
ALTER TABLE "RequestRule" ADD COLUMN     "emergency" JSONB;

-- CreateIndex
CREATE INDEX "AccessRequest_reviewerId_idx" ON "AccessRequest"("reviewerId");

-- CreateIndex
CREATE INDEX "AccessRequest_reviewedAt_reviewDeadline_idx" ON "AccessRequest"("reviewedAt", "reviewDeadline");

-- AddForeignKey
ALTER TABLE "AccessRequest" ADD CONSTRAINT "AccessRequest_reviewerId_fkey" FOREIGN KEY ("reviewerId") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;
