-- AlterTable
ALTER TABLE "Api" ADD COLUMN     "documentation" TEXT,
ADD COLUMN     "publishMetadata" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "subpaths" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "PendingChange" (
    "id" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "applicationId" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "arguments" JSONB NOT NULL,
    "digest" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "answeredAt" TIMESTAMP(3),
    "confirmed" BOOLEAN,
    "policyVersion" INTEGER,
    "usedAt" TIMESTAMP(3),

    CONSTRAINT "PendingChange_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "PendingChange_userId_expiresAt_idx" ON "PendingChange"("userId", "expiresAt");

-- CreateIndex
CREATE INDEX "PendingChange_applicationId_idx" ON "PendingChange"("applicationId");

-- CreateIndex
CREATE INDEX "PendingChange_expiresAt_idx" ON "PendingChange"("expiresAt");

-- AddForeignKey
ALTER TABLE "PendingChange" ADD CONSTRAINT "PendingChange_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PendingChange" ADD CONSTRAINT "PendingChange_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;
