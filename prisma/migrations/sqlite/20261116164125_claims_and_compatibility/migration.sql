-- AlterTable
ALTER TABLE "Application" ADD COLUMN "accessTokenType" TEXT NOT NULL DEFAULT 'at+jwt';
ALTER TABLE "Application" ADD COLUMN "assertionAudienceList" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Application" ADD COLUMN "assertionSeconds" INTEGER NOT NULL DEFAULT 300;
ALTER TABLE "Application" ADD COLUMN "audienceParameter" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Application" ADD COLUMN "claimMappings" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "Application" ADD COLUMN "profileInIdToken" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Application" ADD COLUMN "weakened" BOOLEAN NOT NULL DEFAULT false;
UPDATE "Application" SET "weakened" = true WHERE NOT "requirePkce" OR "assertionAudience" <> 'issuer';

-- CreateIndex
CREATE INDEX "Application_weakened_idx" ON "Application"("weakened");
