-- AlterTable
ALTER TABLE "Api" ADD COLUMN     "tokenType" TEXT NOT NULL DEFAULT 'at+jwt';

-- AlterTable
ALTER TABLE "Application" ADD COLUMN     "derivesOrigins" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "signedInNonce" BOOLEAN,
ADD COLUMN     "signedInPkce" BOOLEAN;
