-- AlterTable
ALTER TABLE "OneTimeLink" ADD COLUMN     "invitedBy" TEXT;
