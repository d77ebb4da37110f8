-- AlterTable
ALTER TABLE "Application" ADD COLUMN "registration" TEXT NOT NULL DEFAULT 'admin';
ALTER TABLE "Application" ADD COLUMN "scopeLimit" JSONB;

-- CreateTable
CREATE TABLE "ClientRegistration" (
    "applicationId" TEXT NOT NULL PRIMARY KEY,
    "tokenHash" TEXT,
    "initialTokenId" TEXT,
    "metadata" JSONB NOT NULL,
    "freshUntil" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME NOT NULL,
    CONSTRAINT "ClientRegistration_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "InitialAccessToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "mostUses" INTEGER NOT NULL,
    "uses" INTEGER NOT NULL DEFAULT 0,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "revokedAt" DATETIME
);

-- CreateIndex
CREATE INDEX "Application_registration_idx" ON "Application"("registration");

-- CreateIndex
CREATE UNIQUE INDEX "ClientRegistration_tokenHash_key" ON "ClientRegistration"("tokenHash");

-- CreateIndex
CREATE INDEX "ClientRegistration_lastUsedAt_idx" ON "ClientRegistration"("lastUsedAt");

-- CreateIndex
CREATE UNIQUE INDEX "InitialAccessToken_tokenHash_key" ON "InitialAccessToken"("tokenHash");

-- CreateIndex
CREATE INDEX "InitialAccessToken_expiresAt_idx" ON "InitialAccessToken"("expiresAt");
