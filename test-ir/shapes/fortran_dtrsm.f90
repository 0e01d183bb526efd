! 51. Fortran: DTRSM (left, upper) as the reference BLAS has it
! FLAGS: -ffp-contract=off
module kernels
contains
  subroutine kernel(m, n, alpha, a, lda, b, ldb)
    integer, intent(in) :: m, n, lda, ldb
    double precision, intent(in) :: alpha, a(lda, *)
    double precision, intent(inout) :: b(ldb, *)
    integer :: i, j, k
    do j = 1, n
      if (alpha /= 1.0d0) then
        do i = 1, m
          b(i, j) = alpha * b(i, j)
        end do
      end if
      do k = m, 1, -1
        if (b(k, j) /= 0.0d0) then
          b(k, j) = b(k, j) / a(k, k)
          do i = 1, k - 1
            b(i, j) = b(i, j) - b(k, j) * a(i, k)
          end do
        end if
      end do
    end do
  end subroutine
end module

program shape
  use kernels
  implicit none
  integer, parameter :: sizes(2, 8) = reshape([0, 0, 0, 4, 1, 1, 1, 6, 5, 0, 2, 3, 16, 16, 19, 33], [2, 8])
  double precision, allocatable :: c(:, :), a(:, :), b(:, :)
  integer :: s, i
  do s = 1, 8
    allocate (c(sizes(1, s), sizes(2, s)), a(sizes(1, s), sizes(1, s)), b(sizes(1, s), sizes(2, s)))
    c = reshape([(0.37d0 * mod(i * 7, 64) + 0.1d0, i=1, size(c))], shape(c))
    a = reshape([(0.37d0 * mod(i * 11, 64) + 0.1d0, i=1, size(a))], shape(a))
    b = reshape([(0.37d0 * mod(i * 13, 64) + 0.1d0, i=1, size(b))], shape(b))
    b(1:1, :) = 0
    call kernel(sizes(1, s), sizes(2, s), 1.5d0, a, max(sizes(1, s), 1), b, max(sizes(1, s), 1))
    c = b
    write (*, '(Z16)') c
    deallocate (c, a, b)
  end do
end program
