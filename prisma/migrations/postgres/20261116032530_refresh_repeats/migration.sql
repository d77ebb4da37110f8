-- AlterTable
ALTER TABLE "RefreshToken" ADD COLUMN     "usedFrom" TEXT,
ADD COLUMN     "repeats" INTEGER NOT NULL DEFAULT 0;
