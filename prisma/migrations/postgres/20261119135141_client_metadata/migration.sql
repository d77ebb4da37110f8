-- AlterTable
ALTER TABLE "Application" ADD COLUMN     "assertionAlg" TEXT,
ADD COLUMN     "defaultMaxAge" INTEGER,
ADD COLUMN     "initiateLoginUri" TEXT,
ADD COLUMN     "requireAuthTime" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "userinfoAlg" TEXT;
