-- CreateTable
CREATE TABLE "Review" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "over" JSONB NOT NULL,
    "reviewers" JSONB NOT NULL,
    "fallback" JSONB NOT NULL,
    "startedBy" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "itemCount" INTEGER NOT NULL,
    "leftOut" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "deadline" DATETIME NOT NULL,
    "remindAt" DATETIME,
    "closedBy" TEXT,
    "closedAt" DATETIME,
    "digest" TEXT
);

-- CreateTable
CREATE TABLE "ReviewItem" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "reviewId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "targetId" TEXT NOT NULL,
    "targetVersion" INTEGER NOT NULL,
    "subjectType" TEXT NOT NULL,
    "subjectId" TEXT NOT NULL,
    "applicationId" TEXT,
    "gives" TEXT NOT NULL,
    "terms" JSONB NOT NULL,
    "apiId" TEXT,
    "portal" BOOLEAN NOT NULL,
    "sensitive" BOOLEAN NOT NULL,
    "since" DATETIME NOT NULL,
    "endsAt" DATETIME,
    "givenBy" TEXT,
    "lastUsedAt" DATETIME,
    "useKnownSince" DATETIME,
    "used" JSONB NOT NULL,
    "suggestion" TEXT,
    "reason" TEXT NOT NULL,
    "narrowTo" JSONB NOT NULL,
    "managerId" TEXT,
    "byFallback" BOOLEAN NOT NULL,
    "decision" TEXT,
    "decidedTo" JSONB,
    "decidedUntil" DATETIME,
    "comment" TEXT,
    "decidedBy" TEXT,
    "decidedAt" DATETIME,
    "outcome" TEXT,
    "outcomeReason" TEXT,
    "appliedAt" DATETIME,
    CONSTRAINT "ReviewItem_reviewId_fkey" FOREIGN KEY ("reviewId") REFERENCES "Review" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ReviewEvidence" (
    "reviewId" TEXT NOT NULL PRIMARY KEY,
    "text" TEXT NOT NULL,
    CONSTRAINT "ReviewEvidence_reviewId_fkey" FOREIGN KEY ("reviewId") REFERENCES "Review" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Review_status_deadline_idx" ON "Review"("status", "deadline");

-- CreateIndex
CREATE INDEX "Review_status_remindAt_idx" ON "Review"("status", "remindAt");

-- CreateIndex
CREATE INDEX "Review_createdAt_id_idx" ON "Review"("createdAt", "id");

-- CreateIndex
CREATE INDEX "ReviewItem_reviewId_outcome_idx" ON "ReviewItem"("reviewId", "outcome");

-- CreateIndex
CREATE INDEX "ReviewItem_reviewId_gives_id_idx" ON "ReviewItem"("reviewId", "gives", "id");

-- CreateIndex
CREATE INDEX "ReviewItem_reviewId_since_id_idx" ON "ReviewItem"("reviewId", "since", "id");

-- CreateIndex
CREATE INDEX "ReviewItem_subjectId_idx" ON "ReviewItem"("subjectId");

-- CreateIndex
CREATE INDEX "ReviewItem_decidedBy_idx" ON "ReviewItem"("decidedBy");
