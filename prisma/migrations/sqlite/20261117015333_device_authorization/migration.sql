-- CreateTable
CREATE TABLE "DeviceAuthorization" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "deviceCodeHash" TEXT NOT NULL,
    "userCodeHash" TEXT NOT NULL,
    "applicationId" TEXT NOT NULL,
    "accessKeyId" TEXT,
    "scopes" JSONB NOT NULL,
    "resources" JSONB NOT NULL,
    "acrValues" JSONB NOT NULL,
    "ip" TEXT,
    "intervalSeconds" INTEGER NOT NULL,
    "polledAt" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "userId" TEXT,
    "sessionId" TEXT,
    "authTime" DATETIME,
    "acr" TEXT,
    "amr" JSONB,
    "approvedAt" DATETIME,
    "deniedAt" DATETIME,
    "usedAt" DATETIME,
    "tokenGrantId" TEXT,
    CONSTRAINT "DeviceAuthorization_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "DeviceAuthorization_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "DeviceAuthorization_deviceCodeHash_key" ON "DeviceAuthorization"("deviceCodeHash");

-- CreateIndex
CREATE UNIQUE INDEX "DeviceAuthorization_userCodeHash_key" ON "DeviceAuthorization"("userCodeHash");

-- CreateIndex
CREATE UNIQUE INDEX "DeviceAuthorization_tokenGrantId_key" ON "DeviceAuthorization"("tokenGrantId");

-- CreateIndex
CREATE INDEX "DeviceAuthorization_applicationId_expiresAt_idx" ON "DeviceAuthorization"("applicationId", "expiresAt");

-- CreateIndex
CREATE INDEX "DeviceAuthorization_userId_idx" ON "DeviceAuthorization"("userId");

-- CreateIndex
CREATE INDEX "DeviceAuthorization_expiresAt_idx" ON "DeviceAuthorization"("expiresAt");
