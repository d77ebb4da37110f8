-- CreateTable
CREATE TABLE "StoredDecision" (
    "seq" BIGINT NOT NULL PRIMARY KEY,
    "userId" TEXT,
    "basis" TEXT NOT NULL
);

-- CreateIndex
CREATE INDEX "StoredDecision_userId_idx" ON "StoredDecision"("userId");
