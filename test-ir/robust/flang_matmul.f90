! The plugin loads into flang and runs there: a Fortran matrix product is transformed, or left alone with a reason.
! REQUIRES: flang
!
! RUN: %flang -O3 -fpass-plugin=%plugin -mllvm -loopwright-policy=force -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s

! CHECK: remark: {{.*}}{{predicted|left the loops as they are|cannot transform the loops}}
subroutine matmul(n, c, a, b)
  integer :: n, i, j, k
  double precision :: c(n, n), a(n, n), b(n, n)
  do i = 1, n
    do j = 1, n
      do k = 1, n
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine
