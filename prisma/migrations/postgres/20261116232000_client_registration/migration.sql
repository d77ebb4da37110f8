-- AlterTable
ALTER TABLE "Application" ADD COLUMN     "registration" TEXT NOT NULL DEFAULT 'admin',
ADD COLUMN     "scopeLimit" JSONB;

-- CreateTable
CREATE TABLE "ClientRegistration" (
    "applicationId" TEXT NOT NULL,
    "tokenHash" TEXT,
    "initialTokenId" TEXT,
    "metadata" JSONB NOT NULL,
    "freshUntil" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ClientRegistration_pkey" PRIMARY KEY ("applicationId")
);

-- CreateTable
CREATE TABLE "InitialAccessToken" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "mostUses" INTEGER NOT NULL,
    "uses" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "InitialAccessToken_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "ClientRegistration_tokenHash_key" ON "ClientRegistration"("tokenHash");

-- CreateIndex
CREATE INDEX "ClientRegistration_lastUsedAt_idx" ON "ClientRegistration"("lastUsedAt");

-- CreateIndex
CREATE UNIQUE INDEX "InitialAccessToken_tokenHash_key" ON "InitialAccessToken"("tokenHash");

-- CreateIndex
CREATE INDEX "InitialAccessToken_expiresAt_idx" ON "InitialAccessToken"("expiresAt");

-- CreateIndex
CREATE INDEX "Application_registration_idx" ON "Application"("registration");

-- AddForeignKey
ALTER TABLE "ClientRegistration" ADD CONSTRAINT "ClientRegistration_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;
