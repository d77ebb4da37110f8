-- CreateTable
CREATE TABLE "BrandPicture" (
    "id" TEXT NOT NULL,
    "applicationId" TEXT,
    "webp" BYTEA NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "BrandPicture_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "BrandPicture_applicationId_key" ON "BrandPicture"("applicationId");

-- AddForeignKey
ALTER TABLE "BrandPicture" ADD CONSTRAINT "BrandPicture_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;
