-- AlterTable
ALTER TABLE "RequestRule" ADD COLUMN "emergency" JSONB;

-- AlterTable
ALTER TABLE "AccessRequest" ADD COLUMN "reviewDeadline" DATETIME;
ALTER TABLE "AccessRequest" ADD COLUMN "reviewMissedAt" DATETIME;
ALTER TABLE "AccessRequest" ADD COLUMN "reviewedAt" DATETIME;
ALTER TABLE "AccessRequest" ADD COLUMN "reviewerId" TEXT REFERENCES "User" ("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "AccessRequest" ADD COLUMN "justified" BOOLEAN;
ALTER TABLE "AccessRequest" ADD COLUMN "reviewReason" TEXT;

-- CreateIndex
CREATE INDEX "AccessRequest_reviewerId_idx" ON "AccessRequest"("reviewerId");

-- CreateIndex
CREATE INDEX "AccessRequest_reviewedAt_reviewDeadline_idx" ON "AccessRequest"("reviewedAt", "reviewDeadline");
