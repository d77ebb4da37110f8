-- AlterTable
ALTER TABLE "Application" ADD COLUMN "assertionAlg" TEXT;
ALTER TABLE "Application" ADD COLUMN "defaultMaxAge" INTEGER;
ALTER TABLE "Application" ADD COLUMN "initiateLoginUri" TEXT;
ALTER TABLE "Application" ADD COLUMN "requireAuthTime" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Application" ADD COLUMN "userinfoAlg" TEXT;
