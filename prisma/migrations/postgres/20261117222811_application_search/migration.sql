-- CreateTable
CREATE TABLE "ApplicationSearchKey" (
    "key" TEXT COLLATE "C" NOT NULL,
    "applicationId" TEXT NOT NULL,

    CONSTRAINT "ApplicationSearchKey_pkey" PRIMARY KEY ("key","applicationId")
);

-- CreateIndex
CREATE INDEX "ApplicationSearchKey_applicationId_idx" ON "ApplicationSearchKey"("applicationId");

-- CreateIndex
CREATE INDEX "Application_createdAt_id_idx" ON "Application"("createdAt", "id");

-- CreateIndex
CREATE INDEX "Application_updatedAt_id_idx" ON "Application"("updatedAt", "id");

-- CreateIndex
CREATE INDEX "Application_name_id_idx" ON "Application"("name", "id");

-- CreateIndex
CREATE INDEX "Application_kind_name_id_idx" ON "Application"("kind", "name", "id");

-- CreateIndex
CREATE INDEX "Application_spaceId_name_id_idx" ON "Application"("spaceId", "name", "id");

-- CreateIndex
CREATE INDEX "Application_registration_name_id_idx" ON "Application"("registration", "name", "id");

-- CreateIndex
CREATE INDEX "Application_disabledAt_idx" ON "Application"("disabledAt");

-- AddForeignKey
ALTER TABLE "ApplicationSearchKey" ADD CONSTRAINT "ApplicationSearchKey_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- DropIndex
DROP INDEX "Application_registration_idx";
