-- CreateTable
CREATE TABLE "Watermark" (
    "task" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "lastId" TEXT NOT NULL,

    CONSTRAINT "Watermark_pkey" PRIMARY KEY ("task")
);

-- CreateIndex
CREATE INDEX "Assignment_validUntil_id_idx" ON "Assignment"("validUntil", "id");

-- CreateIndex
CREATE INDEX "Grant_validUntil_id_idx" ON "Grant"("validUntil", "id");
