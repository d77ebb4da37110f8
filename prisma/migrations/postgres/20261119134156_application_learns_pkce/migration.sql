-- AlterTable
ALTER TABLE "Application" ADD COLUMN "learnsPkce" BOOLEAN NOT NULL DEFAULT false;
