-- AlterTable
ALTER TABLE "OutboxMessage" ADD COLUMN     "about" TEXT,
ADD COLUMN     "cancelledAt" TIMESTAMP(3),
ADD COLUMN     "targetId" TEXT;

-- CreateIndex
CREATE INDEX "OutboxMessage_createdAt_idx" ON "OutboxMessage"("createdAt");
