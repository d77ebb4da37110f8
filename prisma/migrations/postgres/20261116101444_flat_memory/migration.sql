-- DropIndex
DROP INDEX "Assignment_roleId_idx";

-- CreateTable
CREATE TABLE "ApplicationOrigin" (
    "origin" TEXT NOT NULL,
    "applicationId" TEXT NOT NULL,

    CONSTRAINT "ApplicationOrigin_pkey" PRIMARY KEY ("origin","applicationId")
);

-- CreateIndex
CREATE INDEX "ApplicationOrigin_applicationId_idx" ON "ApplicationOrigin"("applicationId");

-- CreateIndex
CREATE INDEX "Assignment_roleId_userId_idx" ON "Assignment"("roleId", "userId");

-- CreateIndex
CREATE INDEX "Assignment_instance_idx" ON "Assignment"("instance");

-- AddForeignKey
ALTER TABLE "ApplicationOrigin" ADD CONSTRAINT "ApplicationOrigin_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What applications have registered so far.
INSERT INTO "ApplicationOrigin" ("origin", "applicationId")
SELECT DISTINCT o.value, a."id" FROM "Application" a, jsonb_array_elements_text(a."origins") o(value);
