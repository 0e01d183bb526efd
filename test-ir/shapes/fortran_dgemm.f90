! 50. Fortran: DGEMM as the reference BLAS has it
! FLAGS: -ffp-contract=off
module kernels
contains
  subroutine kernel(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
    integer, intent(in) :: m, n, k, lda, ldb, ldc
    double precision, intent(in) :: alpha, beta, a(lda, *), b(ldb, *)
    double precision, intent(inout) :: c(ldc, *)
    double precision :: temp
    integer :: i, j, l
    do j = 1, n
      if (beta == 0.0d0) then
        do i = 1, m
          c(i, j) = 0.0d0
        end do
      else if (beta /= 1.0d0) then
        do i = 1, m
          c(i, j) = beta * c(i, j)
        end do
      end if
      do l = 1, k
        temp = alpha * b(l, j)
        do i = 1, m
          c(i, j) = c(i, j) + temp * a(i, l)
        end do
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
    do i = 0, 2
      call kernel(sizes(1, s), sizes(2, s), sizes(1, s), 1.5d0, a, max(sizes(1, s), 1), b, max(sizes(1, s), 1), &
                  0.5d0 * i, c, max(sizes(1, s), 1))
    end do
    write (*, '(Z16)') c
    deallocate (c, a, b)
  end do
end program
