; Where m is 1, LLVM writes the row A[i] as a cell at 8*i bytes. That may not limit the number of rows where m is not 1: the one nest is made for the sizes of the other.
;
;     void copy(long n, long m, double A[restrict n][m], double B[restrict n][m]) {
;         for (long i = 0; i < n; i++) {
;             for (long j = 0; j < m; j++)
;                 A[i][j] = B[i][j];
;             for (long j = 1; j < m; j++)
;                 A[i][j] += A[i][j - 1];
;         }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function copy
; CHECK: check m - 2 >= 0
; CHECK-NOT: check
; CHECK: domain [n, m] -> { [i0, i1] : m >= 2 and i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= m - 1 }
; CHECK-NEXT: write A[i0][i1]
; CHECK-NEXT: read B[i0][i1]
define void @copy(i64 %n, i64 %m, ptr noalias %A, ptr noalias %B) {
entry:
  %cmp45 = icmp sgt i64 %n, 0
  br i1 %cmp45, label %loop1.pre.lr.ph, label %end

loop1.pre.lr.ph:
  %cmp1043 = icmp sgt i64 %m, 1
  br i1 %cmp1043, label %loop1.pre.pre, label %loop1.pre.lr.ph.1

loop1.pre.pre:
  %v0 = shl i64 %m, 3
  br label %loop1.pre

loop1.pre:
  %i.046 = phi i64 [ %inc21, %loop9.end11 ], [ 0, %loop1.pre.pre ]
  %v1 = mul nuw nsw i64 %v0, %i.046
  %scevgep65 = getelementptr nuw i8, ptr %A, i64 %v1
  %scevgep66 = getelementptr nuw i8, ptr %B, i64 %v1
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %scevgep65, ptr align 8 %scevgep66, i64 %v0, i1 false)
  %v2 = mul nuw nsw i64 %i.046, %m
  %p13 = getelementptr inbounds nuw double, ptr %A, i64 %v2
  br label %body12

body12:
  %j8.044 = phi i64 [ 1, %loop1.pre ], [ %inc18, %body12 ]
  %v3 = getelementptr double, ptr %p13, i64 %j8.044
  %p14 = getelementptr i8, ptr %v3, i64 -8
  %v4 = load double, ptr %p14, align 8
  %v5 = load double, ptr %v3, align 8
  %add = fadd double %v4, %v5
  store double %add, ptr %v3, align 8
  %inc18 = add nuw nsw i64 %j8.044, 1
  %done67.not = icmp eq i64 %inc18, %m
  br i1 %done67.not, label %loop9.end11, label %body12

loop9.end11:
  %inc21 = add nuw nsw i64 %i.046, 1
  %done68.not = icmp eq i64 %inc21, %n
  br i1 %done68.not, label %end.1, label %loop1.pre

loop1.pre.lr.ph.1:
  %cmp241 = icmp eq i64 %m, 1
  br i1 %cmp241, label %loop1.pre.us47.pre, label %end

loop1.pre.us47.pre:
  br label %loop1.pre.us47

loop1.pre.us47:
  %i.046.us48 = phi i64 [ %inc21.us56, %loop1.pre.us47 ], [ 0, %loop1.pre.us47.pre ]
  %v6 = shl nuw nsw i64 %i.046.us48, 3
  %scevgep = getelementptr nuw i8, ptr %A, i64 %v6
  %scevgep64 = getelementptr nuw i8, ptr %B, i64 %v6
  %v7 = load i64, ptr %scevgep64, align 8
  store i64 %v7, ptr %scevgep, align 8
  %inc21.us56 = add nuw nsw i64 %i.046.us48, 1
  %done.not = icmp eq i64 %inc21.us56, %n
  br i1 %done.not, label %end.loopexit70, label %loop1.pre.us47

end.1:
  br label %end

end.loopexit70:
  br label %end

end:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
