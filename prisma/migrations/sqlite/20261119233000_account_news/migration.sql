-- AlterTable
ALTER TABLE "User" ADD COLUMN "newsReadAt" DATETIME;

-- AlterTable
ALTER TABLE "Session" ADD COLUMN "newDevice" BOOLEAN NOT NULL DEFAULT false;
