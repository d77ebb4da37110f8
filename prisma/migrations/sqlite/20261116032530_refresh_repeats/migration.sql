-- AlterTable
ALTER TABLE "RefreshToken" ADD COLUMN "usedFrom" TEXT;
ALTER TABLE "RefreshToken" ADD COLUMN "repeats" INTEGER NOT NULL DEFAULT 0;
