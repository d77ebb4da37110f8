-- CreateTable
CREATE TABLE "BrandPicture" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "applicationId" TEXT,
    "webp" BLOB NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "BrandPicture_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "BrandPicture_applicationId_key" ON "BrandPicture"("applicationId");
