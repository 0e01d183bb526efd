! The plugin loads into flang.
! REQUIRES: flang
! RUN: %flang -O3 -fpass-plugin=%plugin -c %s -o %t.o

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
