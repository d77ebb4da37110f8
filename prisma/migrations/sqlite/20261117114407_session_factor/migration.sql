-- AlterTable
ALTER TABLE "Session" ADD COLUMN "factorAt" DATETIME;
