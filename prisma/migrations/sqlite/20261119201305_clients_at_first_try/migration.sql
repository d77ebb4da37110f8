-- AlterTable
ALTER TABLE "Api" ADD COLUMN "tokenType" TEXT NOT NULL DEFAULT 'at+jwt';

-- AlterTable
ALTER TABLE "Application" ADD COLUMN "derivesOrigins" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Application" ADD COLUMN "signedInNonce" BOOLEAN;
ALTER TABLE "Application" ADD COLUMN "signedInPkce" BOOLEAN;
