-- AlterTable
ALTER TABLE "Application" ADD COLUMN "mayImpersonate" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "Consent" ADD COLUMN "pausedAt" DATETIME;

-- AlterTable
ALTER TABLE "Grant" ADD COLUMN "exchangeFrom" TEXT;
