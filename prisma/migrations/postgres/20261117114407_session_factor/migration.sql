-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "factorAt" TIMESTAMP(3);
