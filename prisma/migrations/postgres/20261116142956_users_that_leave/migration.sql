-- CreateIndex
CREATE INDEX "User_deleteAfter_idx" ON "User"("deleteAfter");
