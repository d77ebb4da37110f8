-- AlterTable
ALTER TABLE "Session" ADD COLUMN "provenAt" DATETIME;
