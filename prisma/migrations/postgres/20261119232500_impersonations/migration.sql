-- CreateTable
CREATE TABLE "Impersonation" (
    "id" TEXT NOT NULL,
    "secretHash" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "Impersonation_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Impersonation_secretHash_key" ON "Impersonation"("secretHash");

-- CreateIndex
CREATE INDEX "Impersonation_userId_idx" ON "Impersonation"("userId");

-- CreateIndex
CREATE INDEX "Impersonation_sessionId_idx" ON "Impersonation"("sessionId");

-- CreateIndex
CREATE INDEX "Impersonation_expiresAt_idx" ON "Impersonation"("expiresAt");

-- AddForeignKey
ALTER TABLE "Impersonation" ADD CONSTRAINT "Impersonation_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Impersonation" ADD CONSTRAINT "Impersonation_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
