-- CreateTable
CREATE TABLE "UserSearchKey" (
    "key" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT NOT NULL,

    CONSTRAINT "UserSearchKey_pkey" PRIMARY KEY ("key","userId")
);

-- CreateIndex
CREATE INDEX "UserSearchKey_userId_idx" ON "UserSearchKey"("userId");

-- CreateIndex
CREATE INDEX "User_createdAt_id_idx" ON "User"("createdAt", "id");

-- CreateIndex
CREATE INDEX "User_updatedAt_id_idx" ON "User"("updatedAt", "id");

-- CreateIndex
CREATE INDEX "User_name_id_idx" ON "User"("name", "id");

-- CreateIndex
CREATE INDEX "User_email_id_idx" ON "User"("email", "id");

-- CreateIndex
CREATE INDEX "User_username_id_idx" ON "User"("username", "id");

-- AddForeignKey
ALTER TABLE "UserSearchKey" ADD CONSTRAINT "UserSearchKey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
