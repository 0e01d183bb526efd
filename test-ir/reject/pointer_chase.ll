; A list is no array.
;
;     struct list { struct list *next; double v; };
;     void f(struct list *p, double *restrict x) {
;         for (long i = 0; i < 100; i++) {
;             x[i] = p->v;
;             p = p->next;
;         }
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the base address of an array changes inside the loops
define void @f(ptr %p, ptr noalias %x) {
entry:
  br label %body

end:
  ret void

body:
  %i.05 = phi i64 [ 0, %entry ], [ %inc, %body ]
  %p.addr.04 = phi ptr [ %p, %entry ], [ %v1, %body ]
  %v = getelementptr inbounds nuw i8, ptr %p.addr.04, i64 8
  %v0 = load double, ptr %v, align 8
  %p.1 = getelementptr inbounds nuw double, ptr %x, i64 %i.05
  store double %v0, ptr %p.1, align 8
  %v1 = load ptr, ptr %p.addr.04, align 8
  %inc = add nuw nsw i64 %i.05, 1
  %done.not = icmp eq i64 %inc, 100
  br i1 %done.not, label %end, label %body
}
