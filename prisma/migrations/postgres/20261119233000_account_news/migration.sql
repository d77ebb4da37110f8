-- AlterTable
ALTER TABLE "User" ADD COLUMN     "newsReadAt" TIMESTAMP(3);

-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "newDevice" BOOLEAN NOT NULL DEFAULT false;
