-- AlterTable
ALTER TABLE "Session" ADD COLUMN "factorsProvenAt" DATETIME;
