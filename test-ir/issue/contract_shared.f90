! Where the innermost loop does not run the sums behind it are all that is left: six products, of which LLVM then finds that some are one, and no operation with their sums (found with random nests in Fortran, whose
! default is -ffp-contract=fast).
! REQUIRES: flang, x86_64, x86-64-v3
! RUN: %flang -O3 -march=x86-64-v3 %s -o %t.plain && %t.plain > %t.expected
! RUN: %flang -fpass-plugin=%plugin -mllvm -loopwright-policy=force -O3 -march=x86-64-v3 -Rpass=loopwright %s -o %t.force 2>&1 | %FileCheck %s
! RUN: %t.force > %t.out && diff %t.expected %t.out
module nests
contains
subroutine ends(m, ld, u, b, c, d, x, y, z)
  implicit none
  integer, value :: m, ld
  real, value :: u
  real :: b(0:ld-1, 0:*), c(0:ld-1, 0:*), d(0:ld-1, 0:*), x(0:*), y(0:*), z(0:*), t
  integer :: i, j, k
  do k = 0, 3
    do i = 0, k - 1
      t = u
! CHECK: contract_shared.f90:[[#@LINE+1]]:{{.*}} rewrote the loops
      do j = 0, m - 1
        t = t - d(i, j) + b(i, i + 2) * (y(j + 2) * x(j) - b(j, k) * b(k, k + 2)) - y(k) * z(1)
      end do
      c(k, i) = c(k, i) + t * x(i) + y(k)
    end do
  end do
end subroutine
end module

program main
  use nests
  implicit none
  real :: b(20, 20), c(20, 20), d(20, 20), x(20), y(20), z(20), u
  integer :: m, k
  do k = 0, 30
    call random_number(b)
    call random_number(c)
    call random_number(d)
    call random_number(x)
    call random_number(y)
    call random_number(z)
    u = 0.7 + k * 0.01
    m = mod(k, 3) * 5
    call ends(m, 20, u, b, c, d, x, y, z)
    print *, transfer(c(:, :4), [0])
  end do
end program
