-- CreateTable
CREATE TABLE "Impersonation" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "secretHash" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "startedAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    CONSTRAINT "Impersonation_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Impersonation_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "Impersonation_secretHash_key" ON "Impersonation"("secretHash");

-- CreateIndex
CREATE INDEX "Impersonation_userId_idx" ON "Impersonation"("userId");

-- CreateIndex
CREATE INDEX "Impersonation_sessionId_idx" ON "Impersonation"("sessionId");

-- CreateIndex
CREATE INDEX "Impersonation_expiresAt_idx" ON "Impersonation"("expiresAt");
