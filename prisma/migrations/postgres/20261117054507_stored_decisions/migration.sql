-- CreateTable
CREATE TABLE "StoredDecision" (
    "seq" BIGINT NOT NULL,
    "userId" TEXT,
    "basis" TEXT NOT NULL,

    CONSTRAINT "StoredDecision_pkey" PRIMARY KEY ("seq")
);

-- CreateIndex
CREATE INDEX "StoredDecision_userId_idx" ON "StoredDecision"("userId");
