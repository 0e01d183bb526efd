! Systems, factorisations, eigenvalues: prints every result bit by bit.
program main
  implicit none
  integer, parameter :: sizes(6) = [1, 2, 5, 33, 64, 150]
  integer :: s
  do s = 1, size(sizes)
    call try(sizes(s))
  end do
contains
  subroutine show(name, n, x, info)
    character(*), intent(in) :: name
    integer, intent(in) :: n, info
    double precision, intent(in) :: x(:)
    integer(8) :: h
    integer :: i
    h = 1
    do i = 1, size(x)
      h = ieor(h, transfer(x(i), h)) * 1099511628211_8
    end do
    print '(a, 1x, i0, 1x, i0, 1x, z16.16, 1x, es24.16)', name, n, info, h, x(size(x))
  end subroutine

  subroutine fill(a)
    double precision, intent(out) :: a(:, :)
    integer :: i, j
    do j = 1, size(a, 2)
      do i = 1, size(a, 1)
        a(i, j) = dble(mod(i * 37 + j * 101 + i * j, 251)) / 64 - 2
      end do
    end do
  end subroutine

  subroutine try(n)
    integer, intent(in) :: n
    double precision :: a(n, n), b(n, 7), c(n, n), w(n), wi(n), u(n, n), v(n, n), tau(n), work(64 * n + 64)
    integer :: pivots(n), info, i, iwork(8 * n)
    external :: dgesv, dposv, dgeqrf, dormqr, dsyev, dgesvd, dgeev, dgels, dgemm, dsyrk, dtrsm, dtrmm, dsymm, dsyr2k, dgetri, dsysv, dgesdd
    u = 0
    call fill(a)
    call fill(b)
    call dgemm('n', 't', n, n, n, 1.5d0, a, n, a, n, 0d0, c, n)
    call show('dgemm', n, reshape(c, [n * n]), 0)
    ! Arguments of Fortran must not overlap where one is written.
    v = c
    call dgemm('t', 'n', n, n, n, -0.5d0, a, n, v, n, 2d0, c, n)
    call show('dgemm t', n, reshape(c, [n * n]), 0)
    call dsyrk('l', 'n', n, n, 1d0, a, n, 0d0, c, n)
    do i = 1, n
      c(i, i) = c(i, i) + n
    end do
    call show('dsyrk', n, reshape(c, [n * n]), 0)
    call dposv('l', n, 7, c, n, b, n, info)
    call show('dposv', n, reshape(b, [7 * n]), info)
    call dtrsm('l', 'l', 'n', 'n', n, 7, 2d0, c, n, b, n)
    call dtrmm('r', 'u', 't', 'u', n, n, 0.5d0, a, n, c, n)
    call dsymm('l', 'u', n, 7, 1d0, a, n, b, n, 0d0, u, n)
    call dsyr2k('u', 't', n, n, 1d0, a, n, c, n, 1d0, u, n)
    call show('level 3', n, [reshape(b, [7 * n]), reshape(c, [n * n]), reshape(u, [n * n])], info)
    call fill(a)
    do i = 1, n
      a(i, i) = a(i, i) + 3 * n
    end do
    c = a
    call fill(b)
    call dgesv(n, 7, c, n, pivots, b, n, info)
    call show('dgesv', n, reshape(b, [7 * n]), info)
    call dgetri(n, c, n, pivots, work, size(work), info)
    call show('dgetri', n, reshape(c, [n * n]), info)
    c = a
    call dgeqrf(n, n, c, n, tau, work, size(work), info)
    call show('dgeqrf', n, reshape(c, [n * n]), info)
    call fill(b)
    call dormqr('l', 't', n, 7, n, c, n, tau, b, n, work, size(work), info)
    call show('dormqr', n, reshape(b, [7 * n]), info)
    c = a
    call dsysv('u', n, 7, c, n, pivots, b, n, work, size(work), info)
    call show('dsysv', n, reshape(b, [7 * n]), info)
    c = a
    call fill(b)
    call dgels('n', n, n, 7, c, n, b, n, work, size(work), info)
    call show('dgels', n, reshape(b, [7 * n]), info)
    c = a
    call dsyev('v', 'l', n, c, n, w, work, size(work), info)
    call show('dsyev', n, [reshape(c, [n * n]), w], info)
    c = a
    call dgesvd('a', 'a', n, n, c, n, w, u, n, v, n, work, size(work), info)
    call show('dgesvd', n, [reshape(u, [n * n]), reshape(v, [n * n]), w], info)
    c = a
    call dgeev('v', 'v', n, c, n, w, wi, u, n, v, n, work, size(work), info)
    call show('dgeev', n, [reshape(u, [n * n]), reshape(v, [n * n]), w, wi], info)
  end subroutine
end program
