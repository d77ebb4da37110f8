-- AlterTable
ALTER TABLE "OutboxMessage" ADD COLUMN "about" TEXT;
ALTER TABLE "OutboxMessage" ADD COLUMN "cancelledAt" DATETIME;
ALTER TABLE "OutboxMessage" ADD COLUMN "targetId" TEXT;

-- CreateIndex
CREATE INDEX "OutboxMessage_createdAt_idx" ON "OutboxMessage"("createdAt");
