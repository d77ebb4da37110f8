-- CreateTable
CREATE TABLE "RequestRule" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "apiId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "patterns" JSONB NOT NULL,
    "askers" TEXT,
    "reasonRequired" BOOLEAN NOT NULL,
    "maxSeconds" INTEGER NOT NULL,
    "stages" JSONB NOT NULL,
    "autoApprove" TEXT,
    "autoRefuse" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    CONSTRAINT "RequestRule_apiId_fkey" FOREIGN KEY ("apiId") REFERENCES "Api" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AccessRequest" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "applicationId" TEXT,
    "madeBy" TEXT,
    "apiId" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "resourceType" TEXT,
    "resourceId" TEXT,
    "contextDigest" TEXT NOT NULL,
    "policyVersion" INTEGER NOT NULL,
    "decisionId" TEXT,
    "ruleId" TEXT NOT NULL,
    "terms" JSONB NOT NULL,
    "lacks" JSONB NOT NULL,
    "reason" TEXT,
    "requestedUntil" DATETIME,
    "emergency" BOOLEAN NOT NULL,
    "callback" TEXT,
    "status" TEXT NOT NULL,
    "stage" INTEGER NOT NULL,
    "escalated" BOOLEAN NOT NULL,
    "stageDeadline" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "decidedAt" DATETIME,
    "approvedUntil" DATETIME,
    "pendingKey" TEXT,
    CONSTRAINT "AccessRequest_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AccessRequest_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AccessVote" (
    "requestId" TEXT NOT NULL,
    "stage" INTEGER NOT NULL,
    "approverId" TEXT NOT NULL,
    "approved" BOOLEAN NOT NULL,
    "reason" TEXT,
    "until" DATETIME,
    "at" DATETIME NOT NULL,

    PRIMARY KEY ("requestId", "stage", "approverId"),
    CONSTRAINT "AccessVote_requestId_fkey" FOREIGN KEY ("requestId") REFERENCES "AccessRequest" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AccessVote_approverId_fkey" FOREIGN KEY ("approverId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "Grant" ADD COLUMN "requestId" TEXT;
ALTER TABLE "Grant" ADD COLUMN "userId" TEXT REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateIndex
CREATE INDEX "Grant_userId_idx" ON "Grant"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "RequestRule_apiId_name_key" ON "RequestRule"("apiId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "AccessRequest_pendingKey_key" ON "AccessRequest"("pendingKey");

-- CreateIndex
CREATE INDEX "AccessRequest_userId_createdAt_idx" ON "AccessRequest"("userId", "createdAt");

-- CreateIndex
CREATE INDEX "AccessRequest_applicationId_idx" ON "AccessRequest"("applicationId");

-- CreateIndex
CREATE INDEX "AccessRequest_status_stageDeadline_idx" ON "AccessRequest"("status", "stageDeadline");

-- CreateIndex
CREATE INDEX "AccessRequest_createdAt_idx" ON "AccessRequest"("createdAt");

-- CreateIndex
CREATE INDEX "AccessVote_approverId_idx" ON "AccessVote"("approverId");
