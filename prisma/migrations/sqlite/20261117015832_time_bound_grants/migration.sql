-- CreateTable
CREATE TABLE "Watermark" (
    "task" TEXT NOT NULL PRIMARY KEY,
    "at" DATETIME NOT NULL,
    "lastId" TEXT NOT NULL
);

-- CreateIndex
CREATE INDEX "Assignment_validUntil_id_idx" ON "Assignment"("validUntil", "id");

-- CreateIndex
CREATE INDEX "Grant_validUntil_id_idx" ON "Grant"("validUntil", "id");
