-- AlterTable
ALTER TABLE "Assignment" ADD COLUMN "givenBy" TEXT;

-- AlterTable
ALTER TABLE "Grant" ADD COLUMN "givenBy" TEXT;

-- CreateIndex
CREATE INDEX "Assignment_validFrom_id_idx" ON "Assignment"("validFrom", "id");

-- CreateIndex
CREATE INDEX "Grant_validFrom_id_idx" ON "Grant"("validFrom", "id");
