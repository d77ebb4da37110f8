-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "factorsProvenAt" TIMESTAMP(3);
