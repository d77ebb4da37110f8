-- AlterTable
ALTER TABLE "Application" ADD COLUMN     "mayImpersonate" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "Consent" ADD COLUMN     "pausedAt" TIMESTAMP(3);

-- AlterTable
ALTER TABLE "Grant" ADD COLUMN     "exchangeFrom" TEXT;
