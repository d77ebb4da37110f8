-- AlterTable
ALTER TABLE "Application" ADD COLUMN "firstParty" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Application" ADD COLUMN "preapprovedScopes" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "Consent" ADD COLUMN "assumed" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "Application_firstParty_idx" ON "Application"("firstParty");
